// SPDX-License-Identifier: Apache-2.0
// Names of what the API reports about live channels.

import type { LiveBreaks, LiveStatus, OriginEvents } from '../../../src/http/contract/liveContract.ts';

/** A break that the API lists: of an origin's markers, or inserted by an operator. */
export type LiveBreak = LiveBreaks['items'][number];

export type OriginOnAir = NonNullable<LiveStatus['hls']>;
export type OriginHealth = NonNullable<OriginOnAir['health']>;
export type OriginState = OriginHealth['state'];
export type OnAirKind = NonNullable<OriginHealth['onAir']>['kind'];

export type OriginEvent = OriginEvents['items'][number];
