// SPDX-License-Identifier: Apache-2.0
import type { Data } from '../api/call.ts';

export type AdSource = Data<'GET', '/ad-sources'>[number];
export type AdSourceType = AdSource['type'];

export const sourceTypes: Readonly<Record<AdSourceType, string>> = {
  vast: 'VAST ad server',
  openrtb: 'OpenRTB bidder',
  house: 'House list',
};
