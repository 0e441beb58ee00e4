import { Data } from "effect"

/** A create request that is well-formed but not acceptable here. Answered 400; `field` is the member at fault. */
export class CheckoutInvalid extends Data.TaggedError("CheckoutInvalid")<{
  readonly field: string
  readonly message: string
}> {}

/** No checkout, or nothing else that was asked for, has this id. Answered 404. */
export class CheckoutNotFound extends Data.TaggedError("CheckoutNotFound")<{
  readonly id: string
  readonly what?: "token" | "event of this checkout"
}> {}

/** The clock ran out before a payment started to settle. Final. Answered 410; nothing was transferred. */
export class CheckoutExpired extends Data.TaggedError("CheckoutExpired")<{ readonly id: string }> {}

/** In conflict with something earlier: another payment, another use of this payment or key. Answered 409. */
export class CheckoutConflict extends Data.TaggedError("CheckoutConflict")<{ readonly message: string }> {}

/** Another payment is settling this checkout now. Answered 503; nothing was transferred. */
export class CheckoutBusy extends Data.TaggedError("CheckoutBusy")<{ readonly retryAfterSeconds: number }> {}

/** A limit of this merchant is reached. Answered 429; nothing was transferred. */
export class CheckoutLimited extends Data.TaggedError("CheckoutLimited")<{
  readonly message: string
  readonly retryAfterSeconds: number
}> {}

/** No merchant stands behind the token or the signature. Answered 401. */
export class MerchantUnknown extends Data.TaggedError("MerchantUnknown")<{ readonly message: string }> {}
