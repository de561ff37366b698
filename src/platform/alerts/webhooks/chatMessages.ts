// SPDX-License-Identifier: Apache-2.0
// Messages for people: of incoming webhooks as Slack, Mattermost and others read them, and e-mail.
// Source: docs.slack.dev, "Sending messages using incoming webhooks" and "Formatting message text".
import type { MailText } from './ports.ts';
import { cut, type Summary } from './summary.ts';

const colors = { info: '#1d6fb8', warning: '#b26a00', critical: '#b3261e' } as const;
const RESOLVED_COLOR = '#2e7d32';

const NO_SPACE = '\u200b';
/**
 * Slack reads `&`, `<` and `>` as markup; Mattermost mentions everybody for `@all`. Names of channels must not mention people or
 * contain links.
 */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', `@${NO_SPACE}`);

/** Mattermost reads the URL of a link up to the bar, as Slack does. */
const linkTo = (url: string, label: string): string => `<${url.replaceAll(/[\s<>|]/g, encodeURIComponent)}|${label}>`;

const headOf = ({ state, severity }: Pick<Summary, 'state' | 'severity'>): string =>
  state === 'resolved' ? 'resolved' : severity;

/** @returns the body */
export function chatMessage(summary: Summary): string {
  const { title, state, severity, facts, lines, link, runbook } = summary;
  const links = [
    ...(link === undefined ? [] : [linkTo(link, 'Open console')]),
    ...(runbook === undefined ? [] : [linkTo(runbook, 'Runbook')]),
  ].join(' · ');
  const text = [...lines.map((line) => `• ${escaped(line)}`), links].filter((line) => line !== '').join('\n');
  return JSON.stringify({
    text: `*[${headOf(summary)}]* ${escaped(title)}`,
    attachments: [
      {
        color: state === 'resolved' ? RESOLVED_COLOR : colors[severity],
        fallback: escaped(title),
        text,
        fields: facts.map(([name, value]) => ({ title: name, value: escaped(value), short: true })),
      },
    ],
  });
}

const MAX_SUBJECT = 150;

/** @param thread the same in all messages about an alert, or about a group */
export function mailMessage(summary: Summary, thread: string): MailText {
  const { title, facts, lines, link, runbook, severity, state } = summary;
  const links = [
    ...(link === undefined ? [] : [`Console: ${link}`]),
    ...(runbook === undefined ? [] : [`Runbook: ${runbook}`]),
  ];
  const parts = [[title], lines.map((line) => `- ${line}`), facts.map(([name, value]) => `${name}: ${value}`), links];
  const shown = parts.filter((part) => part.length > 0).map((part) => part.join('\n'));
  return {
    subject: cut(`[${headOf(summary)}] ${title}`, MAX_SUBJECT),
    text: `${shown.join('\n\n')}\n`,
    isUrgent: severity === 'critical' && state !== 'resolved',
    thread,
  };
}
