// SPDX-License-Identifier: Apache-2.0
import { channelLimits, demandLimits } from '../../../src/http/contract/channelValues.ts';
import { adSourceLimits } from '../../../src/platform/adSources/contract/adSourceValues.ts';
import { formatCount } from './numbers.ts';

const { weight: _, ...ofSources } = adSourceLimits;
const limits = { ...channelLimits, ...demandLimits, ...ofSources };
type Limits = { readonly minimum: number; readonly maximum: number; readonly default?: number };

/** `10 to 3,600. Default: 60.` */
export function limitHint(name: keyof typeof limits): string {
  const { minimum, maximum, default: initial }: Limits = limits[name];
  const range = `${minimum < 1 ? minimum : formatCount(minimum)} to ${formatCount(maximum)}.`;
  return initial === undefined ? range : `${range} Default: ${formatCount(initial)}.`;
}
