/**
 * Backed's tokenised shares: the issuer can pause, freeze and take balances, by its own terms. They are listed, because their
 * mints prove nothing: anybody can mint a share of his own, hand every authority of it to the issuer's keys afterwards, copy
 * its name, and search for an address that begins with the same letters.
 */

/** A share's symbol and its mint on Solana. */
export type Share = readonly [symbol: string, mint: string]

/** Shares that everybody knows: who wears such a symbol wants to be taken for it. */
export const X_STOCKS: ReadonlyArray<Share> = [
  ["SPYx", "XsoCS1TfEyfFhfvj8EtZ528L3CaKBDBRqRapnBbDF2W"],
  ["QQQx", "Xs8S1uUs1zvS2p7iwtsG3b6fkhpvmwz4GYU3gWAmWHZ"],
  ["NVDAx", "Xsc9qvGR1efVDFGLrVsmkzv3qi45LTBjeUKSPmx9qEh"],
  ["TSLAx", "XsDoVfqeBukxuZHWhdvWHBhgEHjGNst4MLodqsJHzoB"],
  ["AAPLx", "XsbEhLAtcf6HdfpFZ5xEMdqW8nfAvcsP5bdudRLJzJp"],
  ["GOOGLx", "XsCPL9dNWBMvFtTmwcCA5v3xWPSMEBCszbQdiLLq6aN"],
  ["AMZNx", "Xs3eBt7uRfJX8QUs4suhyU8p2M6DoUDrJyWBa8LLZsg"],
  ["MSFTx", "XspzcW1PRtgf6Wj92HCiZdjzKCyFekVD8P5Ueh3dRMX"],
  ["METAx", "Xsa62P5mvPszXL1krVUnU5ar38bBSVcWAB6fmPCo5Zu"],
  ["COINx", "Xs7ZdzSHLU9ftNJsii5fCeJhoRWSC32SQGzGQtePxNu"],
  ["MSTRx", "XsP7xzNPvEHS1m6qfanPUGjNmdnmsLKEoNAnHjdxxyZ"],
  ["HOODx", "XsvNBAYkrDRNhA7wPHQfX3ZUXZyZLdnCQDfHZ56bzpg"],
  ["CRCLx", "XsueG8BtpquVJX9LVLLEGuViXUungE6WmK5YZ3p3bd1"],
  ["NFLXx", "XsEH7wWfJJu2ZT3UCFeVfALnVA6CP5ur7Ee11KmzVpL"],
  ["PLTRx", "XsoBhf2ufR8fTyNSjqfU71DYGaE6Z3SUGAidpzriAA4"],
  ["MCDx", "XsqE9cRRpzxcGKDXj1BJ7Xmg4GRhZoyY1KpmGSxAWT2"]
]

/**
 * Others, each in two lists or more of those made from the issuer's directory, Jupiter's and Dune's. Nobody is taken to wear
 * their symbols: honest coins are called by a few letters and an X, too.
 */
export const MORE_X_STOCKS: ReadonlyArray<Share> = [
  ["ABBVx", "XswbinNKyPmzTa5CskMbCPvMW6G5CMnZXZEeQSSQoie"],
  ["ABTx", "XsHtf5RpxsQ7jeJ9ivNewouZKJHbPxhPoEy6yYvULr7"],
  ["AMDx", "XsXcJ6GZ9kVnjqGsjBnktRcuwMBmvKWh8S93RefZ1rF"],
  ["ASMLx", "XshuHQ6o6SVpUNawvnnTMxsZ4tacZsNgVCLorv7TkFq"],
  ["AVGOx", "XsgSaSvNSqLTtFuyWPBhK9196Xb9Bbdyjj4fH3cPJGo"],
  ["AZNx", "Xs3ZFkPYT2BN7qBMqf1j1bfTeTm1rFzEFSsQ1z3wAKU"],
  ["BACx", "XswsQk4duEQmCbGzfqUUWYmi7pV7xpJ9eEmLHXCaEQP"],
  ["CMCSAx", "XsvKCaNsxg2GN8jjUmq71qukMJr7Q1c5R2Mk9P8kcS8"],
  ["CRWDx", "Xs7xXqkcK7K8urEqGg52SECi79dRp2cEKKuYjUePYDw"],
  ["CSCOx", "Xsr3pdLQyXvDJBFgpR5nexCEZwXvigb8wbPYp4YoNFf"],
  ["CVXx", "XsNNMt7WTNA2sV3jrb1NNfNgapxRF5i4i6GcnTRRHts"],
  ["DFDVx", "Xs2yquAgsHByNzx68WJC55WHjHBvG9JsMB7CWjTLyPy"],
  ["GLDx", "Xsv9hRk1z5ystj9MhnA7Lq4vjSsLwzL2nxrwmwtD3re"],
  ["GMEx", "Xsf9mBktVB9BSU5kf4nHxPq5hCBJ2j2ui3ecFGxPRGc"],
  ["GSx", "XsgaUyp4jd1fNBCxgtTKkW64xnnhQcvgaxzsbAq5ZD1"],
  ["HDx", "XszjVtyhowGjSC5odCqBpW1CtXXwXjYokymrk7fGKD3"],
  ["HONx", "XsRbLZthfABAPAfumWNEJhPyiKDW6TvDVeAeW7oKqA2"],
  ["IBMx", "XspwhyYPdWVM8XBHZnpS9hgyag9MKjLRyE3tVfmCbSr"],
  ["INTCx", "XshPgPdXFRWB8tP1j82rebb2Q9rPgGX37RuqzohmArM"],
  ["IWMx", "XsbELVbLGBkn7xfMfyYuUipKGt1iRUc2B7pYRvFTFu3"],
  ["JNJx", "XsGVi5eo1Dh2zUpic4qACcjuWGjNv8GCt3dm5XcX6Dn"],
  ["JPMx", "XsMAqkcKsUewDrzVkait4e5u4y8REgtyS7jWgCpLV2C"],
  ["KOx", "XsaBXg8dU5cPM6ehmVctMkVqoiRG2ZjMo1cyBJ3AykQ"],
  ["LINx", "XsSr8anD1hkvNMu8XQiVcmiaTP7XGvYu7Q58LdmtE8Z"],
  ["LLYx", "Xsnuv4omNoHozR6EEW5mXkw8Nrny5rB3jVfLqi6gKMH"],
  ["MAx", "XsApJFV9MAktqnAc6jqzsHVujxkGm9xcSUffaBoYLKC"],
  ["MDTx", "XsDgw22qRLTv5Uwuzn6T63cW69exG41T6gwQhEK22u2"],
  ["MRKx", "XsnQnU7AdbRZYe2akqqpibDdXjkieGFfSkbkjX1Sd1X"],
  ["MRVLx", "XsuxRGDzbLjnJ72v74b7p9VY6N66uYgTCyfwwRjVCJA"],
  ["MUx", "XsQLZycSZ7QnBBdBXQaTbQdiUcbRqjNJgyBGAMzhHav"],
  ["NVOx", "XsfAzPzYrYjd4Dpa9BU3cusBsvWfVB9gBcyGC87S57n"],
  ["ORCLx", "XsjFwUPiLofddX5cWFHW35GCbXcSu1BCUGfxoQAQjeL"],
  ["PEPx", "Xsv99frTRUeornyvCfvhnDesQDWuvns1M852Pez91vF"],
  ["PFEx", "XsAtbqkAP1HJxy7hFDeq7ok6yM43DQ9mQ1Rh861X8rw"],
  ["PGx", "XsYdjDjNUygZ7yGKfQaB6TxLh2gC6RRjzLtLAGJrhzV"],
  ["PMx", "Xsba6tUnSjDae2VcopDB6FGGDaxRrewFCDa5hKn5vT3"],
  ["RBLXx", "Xss5RAku5EH6UViFdvW7ss9xQjwQLsrs2opPMhb3k43"],
  ["TMOx", "Xs8drBWy3Sd5QY3aifG9kt9KFs2K3PGZmx7jWrsrk57"],
  ["TQQQx", "XsjQP3iMAaQ3kQScQKthQpx9ALRbjKAjQtHg6TFomoc"],
  ["TSMx", "XsafvsGtzFqqHgTnA3aPC83EAMkacU5mcGtcSayhpVV"],
  ["UBERx", "XsAsZLF4MmsvS1sDxRMrUz7REjHfwbC9UAMXSRBqgEB"],
  ["UNHx", "XszvaiXGPwvk2nwb3o9C1CX4K6zH8sez11E6uyup6fe"],
  ["Vx", "XsqgsbXwWogGJsNcVZ3TyVouy2MbTkfCFhCGGGcQZ2p"],
  ["VTIx", "XsssYEQjzxBCFgvYFFNuhJFBeHNdLWYeUSP8F45cDr9"],
  ["WMTx", "Xs151QeqTCiuKtinzfRATnUESM2xTU6V9Wy8Vy538ci"],
  ["XLEx", "Xs54CrhmpVp6uxZXwgSTegrRH2kShh88XFPzgf4BExu"],
  ["XOMx", "XsaHND8sHyfMfsWPj6kSdd5VwvCayZvjYgKmmcNL5qh"]
]
