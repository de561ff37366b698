// SPDX-License-Identifier: Apache-2.0
// Where the breaks of a test's live origin are, and what each of them announces.

/** What really happens, compared with what is announced. */
export type BreakBehaviour =
  /** It ends as announced, and its end is marked. */
  | 'exact'
  /** The end is marked at half of the announced length. */
  | 'early'
  /** The end is marked at twice the announced length. */
  | 'late'
  /** The end is not marked. */
  | 'noIn'
  /** Neither length nor end are stated. */
  | 'never'
  /** The length is not stated, the end is marked. */
  | 'unknown'
  /** At half of the announced length, the length is doubled. */
  | 'extended'
  /** A shorter break is marked within it. */
  | 'nested'
  /** Each of its tags is written twice. */
  | 'twice';

export const behaviours: readonly BreakBehaviour[] = [
  ...(['exact', 'early', 'late', 'noIn', 'never', 'unknown', 'extended', 'nested', 'twice'] as const),
];

/** Not part of the pattern of a plan. */
export type AddedBreak = {
  readonly id: number;
  readonly start: number;
  readonly seconds: number;
  /** Default: that of the plan. */
  readonly behaviour?: BreakBehaviour;
  /** In segments; default: that of the plan. */
  readonly lead?: number;
};

export type BreakPlan = {
  /** Seconds from a start to the next; 0: only breaks that are added. */
  readonly every: number;
  /** The announced length of a break. */
  readonly seconds: number;
  /** Seconds from the start of the origin to the first break; default `every`. */
  readonly first?: number;
  readonly behaviour?: BreakBehaviour;
  /** How many seconds before its start a break is announced, by markers that can. */
  readonly lead?: number;
  /** The segment that was the next one when the origin started. */
  readonly offset: number;
  readonly segmentMs: number;
  readonly added: AddedBreak[];
};

/** In segments. */
export type OriginBreak = {
  readonly id: number;
  readonly start: number;
  readonly behaviour: BreakBehaviour;
  /** How long before its start it is announced, if not as the plan states. */
  readonly lead?: number;
  /** The length announced first; absent if it is not stated. */
  readonly announced?: number;
  /** From `since` on, another length is announced. */
  readonly extended?: { readonly since: number; readonly length: number };
  /** Where it ends; absent if it never states it. */
  readonly end?: number;
  /** Whether its end is marked. */
  readonly isEndMarked: boolean;
  /** The segments of the break within it. */
  readonly inner?: { readonly start: number; readonly end: number };
};

function breakOf(id: number, start: number, length: number, behaviour: BreakBehaviour): OriginBreak {
  const half = Math.max(1, Math.floor(length / 2));
  const one = { id, start, behaviour, announced: length, end: start + length, isEndMarked: true };
  const { announced: _, end: __, ...unstated } = one;
  switch (behaviour) {
    case 'early':
      return { ...one, end: start + half };
    case 'late':
      return { ...one, end: start + 2 * length };
    case 'noIn':
      return { ...one, isEndMarked: false };
    case 'never':
      return { ...unstated, isEndMarked: false };
    case 'unknown':
      return { ...unstated, end: start + length };
    case 'extended':
      return { ...one, extended: { since: start + half, length: 2 * length }, end: start + 2 * length };
    case 'nested':
      return { ...one, inner: { start: start + 1, end: start + Math.max(2, half) } };
    default:
      return one;
  }
}

/** The longest that a break lasts, in segments, for the search of those that touch a window. */
const furthest = ({ start, end, announced = 0 }: OriginBreak): number => Math.max(end ?? start, start + announced);

/** The breaks that touch the segments from `from` to `to`, in order. */
export function planBreaks(plan: BreakPlan, from: number, to: number): OriginBreak[] {
  const { every, seconds, first = every, behaviour = 'exact', offset, segmentMs, added } = plan;
  const segmentsOf = (length: number): number => Math.round((length * 1000) / segmentMs);
  const breaks: OriginBreak[] = added.map(({ id, start, seconds: length, behaviour: own = behaviour, lead }) => ({
    ...breakOf(id, start, segmentsOf(length), own),
    ...(lead === undefined ? {} : { lead }),
  }));
  if (every > 0) {
    const [step, start] = [segmentsOf(every), offset + segmentsOf(first)];
    const length = segmentsOf(seconds);
    const firstIndex = Math.max(0, Math.floor((from - start - 2 * length) / step));
    for (let k = firstIndex; start + k * step <= to; k += 1) {
      breaks.push(breakOf(1000 + k, start + k * step, length, behaviour));
    }
  }
  return breaks.filter((one) => furthest(one) >= from && one.start <= to).sort((a, b) => a.start - b.start);
}

/** The length that is announced at a segment; undefined if it is unknown. */
export const announcedAt = ({ announced, extended }: OriginBreak, index: number): number | undefined =>
  extended !== undefined && index >= extended.since ? extended.length : announced;
