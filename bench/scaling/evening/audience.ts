// SPDX-License-Identifier: Apache-2.0
// The viewers of each channel in each second of an evening. Pure.
import { arrivalWeights, channelWeights, chooser, type Evening, secondsOf } from './evening.ts';

export type Audience = {
  readonly viewers: readonly Int32Array[];
  /** For each channel, the sessions that are opened in each second. */
  readonly opens: readonly Uint16Array[];
  readonly visits: number;
};

const SHORTEST_VISIT = 20;

export function createAudience(evening: Evening, random: () => number): Audience {
  const { viewers: peak, channels, meanVisit } = evening;
  const seconds = secondsOf(evening);
  const weights = arrivalWeights(evening);
  const arrivals = chooser(weights, random);
  const chosen = chooser(channelWeights(evening), random);
  const viewers = Array.from({ length: channels }, () => new Int32Array(seconds + 1));
  const opens = Array.from({ length: channels }, () => new Uint16Array(seconds));
  const visit = (channel: number, from: number, length: number) => {
    viewers[channel]![from]! += 1;
    viewers[channel]![Math.min(seconds, from + Math.round(length))]! -= 1;
  };
  const lengthOf = () => SHORTEST_VISIT - Math.log(1 - random()) * (meanVisit - SHORTEST_VISIT);
  // As many as leave come: at the peak, one of meanVisit viewers a second.
  const visits = Math.round((weights.reduce((sum, weight) => sum + weight, 0) * peak) / meanVisit);
  for (let count = 0; count < visits; count += 1) {
    const [channel, from] = [chosen(), arrivals()];
    opens[channel]![from]! += 1;
    visit(channel, from, lengthOf());
  }
  // Those who watch when the evening begins.
  const before = Math.round(0.3 * peak);
  for (let count = 0; count < before; count += 1) visit(chosen(), 0, lengthOf());
  for (const own of viewers) for (let second = 1; second <= seconds; second += 1) own[second]! += own[second - 1]!;
  return { viewers, opens, visits };
}
