// SPDX-License-Identifier: Apache-2.0
import type { Config } from '../../config.ts';
import { mailFault } from '../../platform/alerts/webhooks/smtpMail.ts';
import { type Finding, ok, warning } from './finding.ts';

const TIMEOUT_MS = 4000;

/** Connects to the server for e-mail and signs in. @returns undefined without SMTP_URL */
export async function checkMail({ SMTP_URL: url }: Pick<Config, 'SMTP_URL'>): Promise<Finding | undefined> {
  if (url === undefined) return undefined;
  const { host } = new URL(url);
  const fault = await mailFault(url, TIMEOUT_MS);
  if (fault === undefined) return ok('Mail server', `${host} accepts connections`);
  return warning(
    'Mail server',
    `${host} ${fault}`,
    'Check SMTP_URL, its user and password; e-mail about alerts waits for a day.',
  );
}
