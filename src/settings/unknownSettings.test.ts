// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../test/naming.ts';
import { composeVariables } from './composeVariables.ts';
import { environment } from './environment.ts';
import { unknownSettings } from './unknownSettings.ts';

const textOf = (name: string, value = '1', inFile = new Set<string>()) =>
  unknownSettings({ [name]: value }, inFile)[0]?.text;

test.each([
  ['LIVE_PROT', 'LIVE_PORT'],
  ['live_port', 'LIVE_PORT'],
  ['LIVE-PORT', 'LIVE_PORT'],
  ['MIDROLL_LIVE_PORT', 'LIVE_PORT'],
  ['MIDROLL_HOST', 'HOST'],
  ['LIVEPORT', 'LIVE_PORT'],
  ['DATADIR', 'DATA_DIR'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['SESSION_TTLS', 'SESSION_TTL'],
  ['SESIONS_PER_ADRESS', 'SESSIONS_PER_ADDRESS'],
  ['workers', 'WORKERS'],
])('%s is meant for %s', (name, setting) => {
  expect(textOf(name)).toEqual(naming(name, `did you mean ${setting}?`));
});

test('settings, and what only compose.yaml reads, are not reported', () => {
  const names = [...Object.keys(environment.properties), ...Object.keys(composeVariables)];
  const env = Object.fromEntries(names.map((name) => [name, '1']));
  expect(unknownSettings(env, new Set(names))).toEqual([]);
});

test('variables of other programs are not reported', () => {
  const names =
    'PATH HOME HOST HOSTNAME HOSTTYPE host role ROLES PORT SHELL USER LOGNAME TERM LANG LC_ALL TZ PWD OLDPWD EDITOR PS1 _ ' +
    'XDG_DATA_DIRS XDG_DATA_HOME NODE_ENV NODE_OPTIONS npm_config_registry npm_lifecycle_event npm_package_name CI DEBUG ' +
    'REDIS_HOST REDIS_PORT DATABASE_USER DATABASE_NAME DATABASE_HOST PGHOST PGPASSWORD POSTGRES_USER ADMIN_HOST ADMIN_USER ' +
    'SECRET_KEY_BASE AWS_REGION AWS_ACCESS_KEY_ID AZURE_CLIENT_ID OTEL_TRACES_SAMPLER OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ' +
    'HTTP_PROXY https_proxy NO_PROXY POD_NAME POD_IP KUBERNETES_PORT KUBERNETES_SERVICE_HOST MIDROLL_VERSION SERVER_PORT ' +
    'LIVE_SERVICE_PORT LIVE_PORT_80_TCP LIVE_PORT_80_TCP_ADDR MIDROLL_SERVICE_PORT_LIVE INVOCATION_ID JOURNAL_STREAM LOG_FILE';
  expect(unknownSettings(Object.fromEntries(names.split(' ').map((name) => [name, 'x'])))).toEqual([]);
  // Kubernetes names a service "midroll-live" so.
  expect(textOf('MIDROLL_LIVE_PORT', 'tcp://10.0.0.1:80')).toBeUndefined();
});

test('in a file of settings, every unknown name is reported, except those of libraries and empty ones', () => {
  const of = (name: string, value?: string) => textOf(name, value, new Set([name]));
  expect(of('ADSERVER')).toEqual(naming('ADSERVER', 'no effect'));
  expect(of('host')).toEqual(naming('did you mean HOST?'));
  expect(of('AZURE_STORAGE_KYE')).toEqual(naming('AZURE_STORAGE_KEY'));
  expect(of('AWS_ACCESS_KEY_ID')).toBeUndefined();
  expect(of('NODE_EXTRA_CA_CERTS')).toBeUndefined();
  expect(of('ADSERVER', ' ')).toBeUndefined();
});
