// SPDX-License-Identifier: Apache-2.0
import type { ReportResponse } from '../../../src/platform/reports/contract/reportContract.ts';
import type { ApiRequest } from '../api/call.ts';
import { type Loaded, useGet } from '../api/useGet.ts';

export type ReportRequest = ApiRequest<'GET', '/systems/{id}/reports/{report}'>;

/** The names of the fields of a report are data, so the OpenAPI document does not state them. */
export const useReport = (request: ReportRequest | null): Loaded<ReportResponse> =>
  useGet('/systems/{id}/reports/{report}', request) as Loaded<ReportResponse>;
