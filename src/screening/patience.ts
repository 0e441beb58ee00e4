/**
 * USD of quote that few leave lying for a month to rob others of as much: all of it comes back to whoever holds the rest of
 * the supply. With less of it the same takes half a year.
 */
export const MUCH_USD = 250_000
