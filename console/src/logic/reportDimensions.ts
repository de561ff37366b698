// What the rows of a report can be told apart by.
import type { ReportDimension } from '../../../src/http/reportContract.ts';

export type Dimension = ReportDimension;

export const reportDimensions: Readonly<Record<string, readonly Dimension[]>> = {
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

export const dimensionWords: Readonly<Record<Dimension, string>> = {
  channel: 'Channel',
  creative: 'Creative',
  host: 'Host',
  adServer: 'Ad server',
  reason: 'Reason',
};
