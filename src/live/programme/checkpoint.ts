// SPDX-License-Identifier: Apache-2.0
// Checkpoints: a node that reads only the end of a log continues with the numbers of the node that wrote it.

import { clockAt } from '../../timeline/programme/span.ts';
import { bordersAt } from '../../timeline/programme/window.ts';
import type { LiveCheckpoint, LiveEntry } from '../slot.ts';
import type { LiveState } from './liveState.ts';
import type { Run } from './run.ts';
import { openSection } from './section.ts';

export function checkpointOf(state: LiveState): LiveCheckpoint | undefined {
  const { numbers, discontinuity } = state.next;
  if (numbers.length === 0) return undefined;
  const section = openSection(state.sections);
  const last = state.runs.at(-1);
  const borders = state.edge === undefined ? [] : bordersAt(state.borders, clockAt(state.edge, 0)).slice(1);
  const common = { numbers, discontinuity, ...(borders.length > 0 && { borders }), ...(section && { section }) };
  if (last?.kind !== 'content') return common;
  const { kind: _, chunks: __, ...run } = last;
  return { ...common, run };
}

export const isSameCheckpoint = (one: LiveCheckpoint | undefined, other: LiveCheckpoint): boolean =>
  one !== undefined &&
  one.discontinuity === other.discontinuity &&
  one.section?.id === other.section?.id &&
  one.run?.stretch.id === other.run?.stretch.id &&
  one.numbers.every((number, rung) => number === other.numbers[rung]);

function runOf({ section, run }: LiveCheckpoint): Run[] {
  if (run !== undefined) return [{ kind: 'content', chunks: [], ...run }];
  return section?.fill === 'slate' ? [{ kind: 'slate', sectionId: section.id, start: section.start }] : [];
}

/**
 * The checkpoint of an entry decides. It differs from what a node has computed where the node's log began within a break, or
 * where another process wrote what follows. Then the timeline before it is not listed any more.
 */
export function adoptCheckpoint(state: LiveState, { checkpoint, slots }: LiveEntry): LiveState {
  const [first] = slots;
  if (checkpoint === undefined || first === undefined || isSameCheckpoint(checkpointOf(state), checkpoint))
    return state;
  const { section, numbers, discontinuity, borders = [] } = checkpoint;
  const settled = state.sections
    .filter(({ id }) => id !== section?.id)
    .map((one) => (one.isClosed ? one : { ...one, isClosed: true }));
  return {
    ...state,
    sections: section === undefined ? settled : [...settled, section],
    runs: runOf(checkpoint),
    next: { numbers, discontinuity },
    borders: [first.start, ...borders],
    revision: state.revision + 1,
  };
}
