// SPDX-License-Identifier: Apache-2.0
// Figures of rounds. In each round both servers are measured one directly after the other, so only values of the same round are
// compared: what else the machine does changes from round to round.

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return { median, least: sorted[0]!, most: sorted.at(-1)! };
}

export const median = (values: readonly number[]): number => spreadOf(values).median;

export type Pair<Value> = { readonly reference: Value; readonly own: Value };

/** The ratio in each round, then its median and spread. */
export const ratiosOf = <Value>(pairs: readonly Pair<Value>[], ratio: (pair: Pair<Value>) => number): Spread =>
  spreadOf(pairs.map(ratio));

/** Measures both in each round; which one is first alternates. The first of all is `own`. */
export async function measureInTurn<Value>(
  rounds: number,
  own: (round: number) => Promise<Value>,
  reference: (round: number) => Promise<Value>,
): Promise<Pair<Value>[]> {
  const pairs: Pair<Value>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await own(round);
      pairs.push({ own: first, reference: await reference(round) });
    } else {
      const first = await reference(round);
      pairs.push({ reference: first, own: await own(round) });
    }
  }
  return pairs;
}
