// The clock on the wall, which small corrections never turn back: a manifest's edge must not retreat (law 3). A large
// step back is somebody's will, or a mended mistake, and is followed.
import { type Millis, millis } from '../time/units.ts';

const SMALL = 5000;

/** @param read milliseconds since 1970 */
export function createSystemClock(read: () => number = Date.now): () => Millis {
  let last = 0;
  return () => {
    const told = read();
    last = told < last && told > last - SMALL ? last : told;
    return millis(last);
  };
}
