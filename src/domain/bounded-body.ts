import { Chunk, Effect, Stream } from "effect"

/** The text of a body of at most so many bytes. Whoever sends more, or without end, is read no further: `tooLong`. */
export const readBounded = <E, E2>(
  body: Stream.Stream<Uint8Array, E>,
  most: number,
  tooLong: () => E2
): Effect.Effect<string, E | E2> =>
  Stream.runFoldEffect(
    body,
    { size: 0, chunks: Chunk.empty<Uint8Array>() },
    ({ chunks, size }, chunk): Effect.Effect<{ size: number; chunks: Chunk.Chunk<Uint8Array> }, E2> =>
      size + chunk.byteLength > most
        ? Effect.failSync(tooLong)
        : Effect.succeed({ size: size + chunk.byteLength, chunks: Chunk.append(chunks, chunk) })
  ).pipe(Effect.map(({ chunks }) => Buffer.concat(Chunk.toReadonlyArray(chunks)).toString("utf8")))
