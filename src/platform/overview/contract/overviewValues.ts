// SPDX-License-Identifier: Apache-2.0
// The ranges of an overview. Plain values: the console imports this module.
export const overviewRanges = ['today', 'yesterday', 'last-7-days'] as const;
export type OverviewRange = (typeof overviewRanges)[number];
