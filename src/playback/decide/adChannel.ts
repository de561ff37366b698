// SPDX-License-Identifier: Apache-2.0
import type { Airing } from '../onAir/airing.ts';

/** A channel of either kind, as decisions about its ads need it. */
export type AdChannel = Pick<Airing, 'channel' | 'ladder'>;
