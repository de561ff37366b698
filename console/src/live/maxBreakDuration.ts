// SPDX-License-Identifier: Apache-2.0
import { channelLimits } from '../channels/channelLimits.ts';

/** Seconds for which a break lasts at most if its markers state neither end nor duration. */
export const maxBreakDuration = (channel: { readonly maxBreakDuration?: number }): number =>
  channel.maxBreakDuration ?? channelLimits.maxBreakDuration.default;
