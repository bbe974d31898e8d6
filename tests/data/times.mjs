export async function times() {}
