// SPDX-License-Identifier: Apache-2.0
// Limits and defaults of channel settings, for hints. The contract defines them; the test compares the two, because the
// console takes nothing but types from the server.
import type { ChannelBody } from '../../../src/http/contract/channelContract.ts';
import { formatCount } from '../format/numbers.ts';

type NumberSetting =
  | keyof Pick<
      ChannelBody,
      'fillThreshold' | 'playlistSize' | 'timeShiftWindow' | 'breakDuration' | 'vodBudgetMs' | 'maxBreakDuration'
    >
  | 'timeoutMs';
type Limit = { readonly minimum: number; readonly maximum: number; readonly default: number };

export const channelLimits: Readonly<Record<NumberSetting, Limit>> = {
  fillThreshold: { minimum: 0, maximum: 60, default: 1 },
  playlistSize: { minimum: 10, maximum: 3600, default: 60 },
  timeShiftWindow: { minimum: 0, maximum: 86_400, default: 0 },
  breakDuration: { minimum: 0.5, maximum: 3600, default: 30 },
  maxBreakDuration: { minimum: 1, maximum: 3600, default: 180 },
  vodBudgetMs: { minimum: 500, maximum: 20_000, default: 3000 },
  timeoutMs: { minimum: 100, maximum: 10_000, default: 2000 },
};

/** `10 to 3,600. Default: 60.` */
export function limitHint(name: NumberSetting): string {
  const { minimum, maximum, default: initial } = channelLimits[name];
  return `${minimum < 1 ? minimum : formatCount(minimum)} to ${formatCount(maximum)}. Default: ${formatCount(initial)}.`;
}
