// SPDX-License-Identifier: Apache-2.0
// The names of the settings of each type of system. The server defines them; the test compares the two, because the
// console takes nothing but types from the server.
import type { SystemResponse } from '../../../src/platform/access/contract/tenantContract.ts';

export type SystemType = SystemResponse['type'];

export const settingNames: Readonly<Record<SystemType, readonly string[]>> = {
  ssai: ['url', 'username', 'password', 'searchDomain', 'searchUser', 'searchPassword', 'searchIndex'],
  'cloud-media-services': [
    ...['resourceGroup', 'storageAccount', 'storageKey', 'container', 'mediaServiceName', 'subscriptionId'],
    ...['directoryTenantId', 'clientId', 'clientSecret'],
  ],
};

export const isSecret = (name: string): boolean => /password|secret|key/i.test(name);

export const systemTypeLabels: Readonly<Record<SystemType, string>> = {
  ssai: 'Ad insertion (ssai)',
  'cloud-media-services': 'Cloud media services',
};
