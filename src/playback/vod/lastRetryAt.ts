// SPDX-License-Identifier: Apache-2.0
import { type Millis, millis } from '../../time/units.ts';
import type { AdRequestContext } from '../request/requestAds.ts';

/** When the last retry of an ad request may start, so that it has at least half of the time that the request had. */
export const lastRetryAt = ({ source: { timeoutMs = 0 } }: Pick<AdRequestContext, 'source'>, now: Millis): Millis =>
  millis(now + Math.floor(timeoutMs / 2));
