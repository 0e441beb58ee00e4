/**
 * Whether what was set to end at `until` lasts still, all in Unix milliseconds. What ends further ahead than `longest`, the
 * longest it can have been given, was set by a clock that was set back since: it is over, or it would last until that clock
 * is where it was.
 */
export const lasts = (until: number, longest: number, now: number): boolean =>
  now < until && until <= now + longest
