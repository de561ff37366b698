// SPDX-License-Identifier: Apache-2.0
// The names of the settings of each type of system. Plain values: the console imports this module.
export const settingNames = {
  ssai: ['url', 'username', 'password', 'searchDomain', 'searchUser', 'searchPassword', 'searchIndex'],
  'cloud-media-services': [
    'resourceGroup',
    'storageAccount',
    'storageKey',
    'container',
    'mediaServiceName',
    'subscriptionId',
    'directoryTenantId',
    'clientId',
    'clientSecret',
  ],
} as const;

export type SystemType = keyof typeof settingNames;
