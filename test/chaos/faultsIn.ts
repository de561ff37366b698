// SPDX-License-Identifier: Apache-2.0
// What a chaos test has to be free of.
import type { ChaosReport } from './runChaos.ts';

export const faultsIn = ({ faults, requests, beacons, bugs }: ChaosReport): string[] => [
  ...faults,
  ...requests.unexplained.map((text) => `ads requested twice: ${text}`),
  ...beacons.lost.map((text) => `beacon lost: ${text}`),
  ...beacons.unmarked.map((text) => `beacon sent twice: ${text}`),
  ...beacons.unfounded.map((text) => `beacon without a row: ${text}`),
  ...beacons.repeatedErrors.map((text) => `Error URL called twice: ${text}`),
  ...bugs,
];
