// SPDX-License-Identifier: Apache-2.0
import type { SystemType } from '../../../src/platform/systems/contract/systemValues.ts';

export const isSecret = (name: string): boolean => /password|secret|key/i.test(name);

export const systemTypeLabels: Readonly<Record<SystemType, string>> = {
  ssai: 'Ad insertion (ssai)',
  'cloud-media-services': 'Cloud media services',
};
