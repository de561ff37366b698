// SPDX-License-Identifier: Apache-2.0
import type { Programme } from '../../timeline/programme/programme.ts';
import type { Span } from '../../timeline/programme/span.ts';

/** The breaks of spans. The start of a long live break may have left the window; a viewer who joins it has ads in the rest. */
export function breaksIn(spans: readonly Span[], { breakSpan }: Pick<Programme, 'breakSpan'>): readonly Span[] {
  const found = new Map<string, Span>();
  for (const span of spans) {
    const id = span.break?.id ?? span.within?.id;
    if (id === undefined || found.has(id)) continue;
    const own = span.break === undefined ? breakSpan(id, span.within!.startsAt) : span;
    if (own?.break !== undefined) found.set(id, own);
  }
  return [...found.values()];
}
