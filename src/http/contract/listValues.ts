// SPDX-License-Identifier: Apache-2.0
// The largest pages of lists. Plain values: the console imports this module.
export const MAX_PAGE_SIZE = 100;
export const MAX_BEACONS = 1000;
