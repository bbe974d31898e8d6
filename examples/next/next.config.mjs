// The package starts workers from its own files, so Next.js must not bundle it for the server.
export default { serverExternalPackages: ['hornbook'] };
