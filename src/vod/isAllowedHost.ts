// SPDX-License-Identifier: Apache-2.0

/** @param hosts lower-case: `host` allows every port, `host:port` only that one, `*.domain` every subdomain */
export function isAllowedHost(url: string, hosts: readonly string[]): boolean {
  const { hostname, host, port, protocol } = new URL(url);
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  return hosts.some((allowed) =>
    allowed.startsWith('*.') ? hostname.endsWith(allowed.slice(1)) : allowed === hostname || allowed === withPort,
  );
}
