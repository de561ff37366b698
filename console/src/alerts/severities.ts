// SPDX-License-Identifier: Apache-2.0
import type { Severity } from '../../../src/platform/alerts/contract/alertValues.ts';
import type { Statuses } from '../components/feedback/Badge.tsx';

export const severityLabels: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
};

export const severityStatuses: Statuses<Severity> = {
  critical: ['bad', severityLabels.critical],
  warning: ['warn', severityLabels.warning],
  info: ['info', severityLabels.info],
};
