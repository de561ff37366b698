// SPDX-License-Identifier: Apache-2.0
/** Variables that only compose.yaml reads, from the same file as the settings. */
export const composeVariables: Readonly<Record<string, { readonly default?: string; readonly description: string }>> = {
  POSTGRES_PASSWORD: { description: 'Password of the database, required by compose.yaml.' },
  HTTP_PORT: { default: '80', description: 'Port of nginx on the host.' },
  COMPOSE_PROFILES: {
    description: '"cluster" starts three nodes, two workers and Valkey instead of one node and a worker.',
  },
  MIDROLL_IMAGE: { default: 'midroll', description: 'Name of the image.' },
};
