// What the tests drive in a page: Hornbook, and an agent without a model, whose turns are scripted by the test.
import { IframeParentTransport, TabClientTransport } from '@mcp-b/transports';
import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import { Client } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { PortTransport, createHornbook, framePort } from '/hornbook/web.js';

const ME = { name: 'agent', version: '1' };

/** A client of the current SDK over `transport`, in the era without sessions. */
async function connect(transport, options = { versionNegotiation: { mode: 'auto' } }) {
  const client = new Client(ME, options);
  await client.connect(transport);
  return client;
}

/** A client of the older SDK, with `initialize`. */
async function connectLegacy(transport) {
  const client = new LegacyClient(ME);
  transport.setProtocolVersion = (revision) => (transport.revision = revision);
  await client.connect(transport);
  return client;
}

/** The transport to a workspace of this page, on a channel of its own. */
function transport(hornbook) {
  const { port1, port2 } = new MessageChannel();
  hornbook.connect(port1);
  return new PortTransport(port2);
}

const agent = (hornbook) => connect(transport(hornbook));

/** The text of a tool's result; throws if the tool fails. */
async function call(client, name, values, options) {
  const { content, isError } = await client.callTool({ name, arguments: values }, options);
  const text = content.map((part) => part.text).join('\n');
  if (isError) throw new Error(text);
  return text;
}

/** A port passed to another window, as that window received it. */
async function given(other, port) {
  const come = new Promise((resolve) =>
    other.addEventListener('message', ({ ports }) => resolve(ports[0]), { once: true }),
  );
  other.postMessage(null, '*', [port]);
  return come;
}

/** A frame with a page in it. */
async function framed(address, attributes = {}) {
  const frame = Object.assign(document.createElement('iframe'), { src: address });
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  document.body.append(frame);
  await new Promise((loaded) => (frame.onload = loaded));
  return frame;
}

/** Resolves when the page in another window has received everything posted to it before; that page echoes `probe`. */
async function echoed(other) {
  const id = crypto.randomUUID();
  await new Promise((resolve) => {
    addEventListener('message', ({ data }) => data?.echo === id && resolve());
    other.postMessage({ probe: id }, '*');
  });
}

/** Echoes to whoever asks; called after Hornbook listens. */
function echo() {
  addEventListener('message', ({ source, data }) => data?.probe && source.postMessage({ echo: data.probe }, '*'));
}

Object.assign(window, {
  IframeParentTransport,
  PortTransport,
  TabClientTransport,
  agent,
  call,
  connect,
  connectLegacy,
  createHornbook,
  echo,
  echoed,
  framePort,
  framed,
  given,
  initializeWebMCPPolyfill,
  transport,
  ready: true,
});
