// SPDX-License-Identifier: Apache-2.0
import type { SystemResponse } from '../../../src/platform/systems/contract/systemContract.ts';

/** The system of this installation: the oldest of type `ssai`. @param systems newest first, as the API lists them */
export const localSystem = (systems: readonly SystemResponse[]): SystemResponse | undefined =>
  systems.findLast(({ type }) => type === 'ssai') ?? systems.at(-1);
