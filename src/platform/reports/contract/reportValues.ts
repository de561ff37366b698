// SPDX-License-Identifier: Apache-2.0
// What reports can be grouped by. Plain values: the console imports this module.
export const dimensions = ['channel', 'creative', 'host', 'adServer', 'reason', 'source'] as const;
export type Dimension = (typeof dimensions)[number];

/** What each report can be grouped by. */
export const reportDimensions = {
  viewers: ['channel'],
  requests: ['channel'],
  breaks: ['channel'],
  'ad-requests': ['channel', 'adServer'],
  'ad-sources': ['channel', 'source'],
  'demand-funnel': ['channel', 'source', 'reason'],
  ads: ['channel', 'creative'],
  skips: ['channel', 'reason', 'creative'],
  beacons: ['channel', 'host'],
  creatives: ['channel', 'creative'],
  storage: [],
} as const satisfies Readonly<Record<string, readonly Dimension[]>>;
export type ReportName = keyof typeof reportDimensions;
