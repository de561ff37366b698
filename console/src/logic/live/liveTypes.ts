// SPDX-License-Identifier: Apache-2.0
// Names of what the API reports about live channels.
import type { LiveBreaks, LiveStatus } from '../../../../src/http/liveContract.ts';

/** A break that the API lists: of an origin's markers, or inserted by an operator. */
export type LiveBreak = Omit<LiveBreaks['items'][number], 'origin' | 'raw' | 'line'> & {
  readonly origin?: 'hls' | 'dash';
  readonly raw?: string;
  readonly line?: number;
  readonly kind?: 'ads' | 'blackout';
  readonly state?: 'scheduled' | 'running' | 'ended' | 'cancelled';
  readonly asset?: string;
  readonly viewers?: { readonly decided: number; readonly withAds: number };
};

export type OriginState = 'idle' | 'ok' | 'stalled' | 'ended' | 'failing';
export type OnAirKind = 'source' | 'backup' | 'slate';

export type OriginOnAir = NonNullable<LiveStatus['hls']>;
export type OriginHealth = NonNullable<OriginOnAir['health']> & {
  readonly onAir?: { readonly kind: OnAirKind; readonly url?: string; readonly since: string };
  readonly backups?: readonly {
    readonly url: string;
    readonly state: 'ok' | 'failing' | 'unknown';
    readonly reason?: string;
    readonly checkedAt?: string;
  }[];
};

export type OriginEvent = {
  readonly at: string;
  readonly origin: 'hls' | 'dash';
  readonly state: OriginState;
  readonly onAir: OnAirKind;
  readonly url?: string;
  readonly reason?: string;
};

export type ListedBreaks = Omit<LiveBreaks, 'items'> & { readonly items: readonly LiveBreak[] };
