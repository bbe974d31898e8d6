#[test]
fn dump() {
    let tools: Vec<_> = crate::mcp::tools::TOOLS.iter().map(|t| t.declaration()).collect();
    std::fs::write("/tmp/conf/tools.json", serde_json::to_string(&tools).unwrap()).unwrap();
}
