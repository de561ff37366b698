// SPDX-License-Identifier: Apache-2.0

const unitsOf = (seconds: number): readonly [count: number, unit: string] =>
  seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];

/** @param grace milliseconds, a whole number of seconds @returns for example `10 minutes` */
function graceText(grace: number): string {
  const [count, unit] = unitsOf(grace / 1000);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** What ends the life of a channel, for operators. @param grace how long it continues after the channel was disabled */
export const offAirText = (grace: number): string =>
  grace === 0
    ? 'disable the channel and enable it again'
    : `disable the channel for longer than ${graceText(grace)}, and enable it again`;
