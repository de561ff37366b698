// The settings of a system by its type, and which of them nobody should read over a shoulder.
export type SystemType = 'ssai' | 'cloud-media-services';

export const settingNames: Readonly<Record<SystemType, readonly string[]>> = {
  ssai: ['url', 'username', 'password', 'searchDomain', 'searchUser', 'searchPassword', 'searchIndex'],
  'cloud-media-services': [
    ...['resourceGroup', 'storageAccount', 'storageKey', 'container', 'mediaServiceName', 'subscriptionId'],
    ...['directoryTenantId', 'clientId', 'clientSecret'],
  ],
};

export const isSecret = (name: string): boolean => /password|secret|key/i.test(name);

export const typeWords: Readonly<Record<SystemType, string>> = {
  ssai: 'Ad insertion (ssai)',
  'cloud-media-services': 'Cloud media services',
};
