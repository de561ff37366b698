// SPDX-License-Identifier: Apache-2.0
import { channelLimits } from '../../../src/http/contract/channelValues.ts';
import { formatCount } from '../format/numbers.ts';

/** `10 to 3,600. Default: 60.` */
export function limitHint(name: keyof typeof channelLimits): string {
  const { minimum, maximum, default: initial } = channelLimits[name];
  return `${minimum < 1 ? minimum : formatCount(minimum)} to ${formatCount(maximum)}. Default: ${formatCount(initial)}.`;
}
