// SPDX-License-Identifier: Apache-2.0
// What each report can be grouped by. The server defines it (src/platform/reports/catalogue.ts); the test compares the two,
// because the console takes nothing but types from the server.
import type { ReportDimension } from '../../../src/platform/reports/contract/reportContract.ts';

export const reportDimensions: Readonly<Record<string, readonly ReportDimension[]>> = {
  viewers: ['channel'],
  requests: ['channel'],
  breaks: ['channel'],
  'ad-requests': ['channel', 'adServer'],
  ads: ['channel', 'creative'],
  skips: ['channel', 'reason', 'creative'],
  beacons: ['channel', 'host'],
  creatives: ['channel', 'creative'],
  storage: [],
};

export const dimensionLabels: Readonly<Record<ReportDimension, string>> = {
  channel: 'Channel',
  creative: 'Creative',
  host: 'Host',
  adServer: 'Ad server',
  reason: 'Reason',
};
