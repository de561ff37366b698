// What the sending of beacons needs from outside: a ledger, and a client that sends.
import type { Millis } from '../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, ClaimedBeacon, HostRow, NewBeacon, Settlement } from './beacon.ts';

export type BeaconStore = {
  /** On disk when it resolves. One that is there already stays as it is. */
  record(beacons: readonly NewBeacon[]): Promise<void>;
  /** Hosts for which something is due. */
  dueHosts(now: Millis): Promise<string[]>;
  /** Takes at most so many for oneself until an instant: the longest due first. Who died while they had some had them in vain. */
  claim(host: string, most: number, now: Millis, until: Millis): Promise<ClaimedBeacon[]>;
  settle(settlement: Settlement): Promise<void>;
  /** In the order of recordedAt and seq. */
  list(filter: BeaconFilter, after: BeaconCursor | undefined, most: number): Promise<BeaconRow[]>;
  /** What became of the beacons of a tenant that were written down between two instants. */
  hosts(tenant: string, from: Millis, to: Millis): Promise<HostRow[]>;
  /** Forgets what was written down before an instant, a few thousand rows at a time. Returns how many. */
  forget(before: Millis): Promise<number>;
};

export type BeaconResult =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly status?: number;
      /** `never`: asking again would be as useless. */
      readonly retry: 'later' | 'never';
      /** It may have arrived all the same. */
      readonly isUnsure: boolean;
    };

/** Never throws for trouble outside. */
export type SendBeacon = (beacon: Pick<ClaimedBeacon, 'url' | 'viewer'>) => Promise<BeaconResult>;

/** Leaves hosts alone that fail again and again. */
export type HostBreaker = {
  /** Whether the host may be asked once more now; then `report` must follow. */
  maySend(host: string): boolean;
  report(host: string, outcome: 'worked' | 'failed' | 'unclear'): void;
};
