// SPDX-License-Identifier: Apache-2.0
// The console: a client of the admin API for operators.
import './signIn/takeKey.ts';
import './style/tokens.css';
import './style/base.css';
import './style/buttons.css';
import './style/feedback.css';
import './style/layout.css';
import './style/forms.css';
import './style/shell.css';
import { render } from 'preact';
import { App } from './app/App.tsx';

render(<App />, document.getElementById('app') ?? document.body);
