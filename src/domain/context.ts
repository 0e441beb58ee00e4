import { Context, Effect, Option, Tracer } from "effect"

const spanOnly = (context: Context.Context<never>): Context.Context<never> =>
  Option.match(Context.getOption(context, Tracer.ParentSpan), {
    onNone: () => Context.empty(),
    onSome: (span) => Context.make(Tracer.ParentSpan, span)
  })

/**
 * Runs what needs no service without those that happen to be around it, but for its span. A fiber copies its whole
 * context whenever it adds a service, and forty services stand around a request: it did so twenty-five times for a sale.
 */
export const withoutServices = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(effect, spanOnly)
