// The console: what an operator sees and does, all of it over the public interface.
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/forms.css';
import './style/shell.css';
import { render } from 'preact';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
