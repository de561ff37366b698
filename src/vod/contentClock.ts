// SPDX-License-Identifier: Apache-2.0
// Content time is source time without the stretches that markers declare replaceable, whether ads replace them or not. So it
// is the same for all viewers of a title, and a bookmark stays valid.
import { type Flicks, flicks } from '../time/units.ts';

/** A plan or a frozen presentation: breaks in the order of time that do not overlap. */
export type Stretches = { readonly breaks: readonly { readonly at: Flicks; readonly until?: Flicks }[] };

/** Source times within a stretch have the content time of its start. */
export function contentTimeOf({ breaks }: Stretches, source: Flicks): Flicks {
  const replaced = breaks.reduce((sum, { at, until = at }) => sum + Math.max(0, Math.min(source, until) - at), 0);
  return flicks(source - replaced);
}

/** The first source time with this content time: at a stretch, its start. */
export function sourceTimeOf({ breaks }: Stretches, content: Flicks): Flicks {
  let source: number = content;
  for (const { at, until = at } of breaks) {
    if (at >= source) break;
    source += until - at;
  }
  return flicks(source);
}
