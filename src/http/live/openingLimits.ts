// How many sessions may be opened in a minute, from one address and on one channel: the channel's key stands in every
// player's URL, so anybody can open sessions, and each of them costs memory and a row.
import { AppError } from '../../errors.ts';
import { networkOf } from '../networkOf.ts';
import { createAllowance } from './allowance.ts';

export type OpeningLimits = {
  /** Sessions a minute; 0 is no limit. */
  readonly perAddress: number;
  readonly perChannel: number;
  readonly now: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/**
 * @param channel as channelKey.ts names it
 * @throws {AppError} TOO_MANY_REQUESTS when a limit is exceeded
 */
export type AllowOpening = (address: string, channel: string) => void;

const MINUTE = 60_000;
export function createOpeningLimits({ perAddress, perChannel, now, log }: OpeningLimits): AllowOpening {
  const address = createAllowance(
    perAddress,
    now,
    () => `At most ${perAddress} sessions a minute may be opened from one address; try again later.`,
  );
  const everybody = createAllowance(
    perChannel,
    now,
    () => `At most ${perChannel} sessions a minute may be opened on one channel; try again later.`,
  );
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The first refusal of a minute is worth a line: it is an attack, a load test, or a proxy that is not known as one. */
  const tell = (facts: Record<string, unknown>) => {
    if (now() - toldAt < MINUTE) return;
    toldAt = now();
    log('sessions are refused: too many were opened within a minute', facts);
  };
  return (from, channel) => {
    const client = networkOf(from);
    try {
      if (perAddress > 0) address(client);
      if (perChannel > 0) everybody(channel);
    } catch (error) {
      if (error instanceof AppError) tell({ client, channel, perAddress, perChannel });
      throw error;
    }
  };
}
