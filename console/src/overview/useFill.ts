/** How much of the breaks of the last hour was filled with ads, 0 to 1; undefined where there were none. */
export function useFill(): { readonly total: number | undefined } {
  return { total: undefined };
}
