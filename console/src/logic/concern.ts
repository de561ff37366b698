import type { OnAirChannel } from '../../../src/http/consoleContract.ts';

export type Concern = 'failed' | 'impaired' | 'preparing' | 'well' | 'off';
const order: readonly Concern[] = ['failed', 'impaired', 'preparing', 'well', 'off'];

/** `impaired`: on air, and something is not as it was asked for. */
export const concernOf = ({
  state,
  stateReason,
  preparation,
}: Pick<OnAirChannel, 'state' | 'stateReason' | 'preparation'>): Concern => {
  if (state === 'failed') return 'failed';
  if (state === 'disabled') return 'off';
  if (preparation?.isOnAir === false) return 'preparing';
  return stateReason === undefined ? 'well' : 'impaired';
};

/** Problems first, then who is watched most. */
export const sortByConcern = (channels: readonly OnAirChannel[]): OnAirChannel[] =>
  [...channels].sort(
    (a, b) =>
      order.indexOf(concernOf(a)) - order.indexOf(concernOf(b)) ||
      b.viewers - a.viewers ||
      (a.name ?? a.id).localeCompare(b.name ?? b.id),
  );
