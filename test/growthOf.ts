import { cpuMillis } from './cpuMillis.ts';

/** Under this many milliseconds a measurement is mostly noise. */
const LEAST = 10;

/** Growth below this is in proportion to size: 4 was wanted, the square would be 16. */
export const LINEAR = 10;
/** Growth below this has nothing to do with size: in proportion would be 4. */
export const CONSTANT = 2;

/**
 * How many times as much processor time a task takes that is four times as large, however fast the machine is.
 * @param taskOf makes a task of a size; making it is not counted
 * @param from the size to begin with: it is doubled until the time can be measured, at most twelve times
 */
export function growthOf(taskOf: (size: number) => () => unknown, from = 1_000): number {
  let size = from;
  while (size < from * 4_096 && cpuMillis(taskOf(size)) < LEAST) size *= 2;
  const [small, large] = [taskOf(size), taskOf(4 * size)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // By turns, the best of each: what else the machine does can only add to a cost.
  for (let round = 0; round < 5; round += 1) {
    least = Math.min(least, cpuMillis(small));
    most = Math.min(most, cpuMillis(large));
  }
  return most / Math.max(least, LEAST / 4);
}
