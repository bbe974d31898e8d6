//! Writes replies as engines do, from one JSON object each, whose texts become parts.

use serde_json::{Map, Value, json};

use crate::reply::sealed;

/// The lines of a reply: `{"ok": false, "error": …}` is a refusal.
pub fn written(reply: Value) -> String {
    let Value::Object(mut fields) = reply else {
        panic!("not a reply: {reply}")
    };
    if fields.remove("ok") == Some(Value::Bool(false)) {
        return lines("refused", Map::new(), vec![fields["error"].take()]);
    }
    let mut parts = Vec::new();
    let control = if fields.contains_key("ended") {
        block(fields, &mut parts)
    } else if fields.contains_key("answers") {
        step(fields, &mut parts)
    } else if fields.contains_key("told") {
        dml_step(fields, &mut parts)
    } else if fields.contains_key("mains") {
        loaded(fields, &mut parts)
    } else if fields.contains_key("version") {
        let texts = ["version", "libraries", "refused", "builtins"];
        parts.extend(texts.map(|text| fields[text].take()));
        Map::new()
    } else if let Some(Value::Array(each)) = fields.remove("each") {
        fields.insert("answers".into(), json!(each.len()));
        parts.extend(each);
        fields
    } else {
        parts.extend(fields.remove("bindings"));
        parts.extend(fields.remove("differences"));
        if let Some(items) = fields.get_mut("items") {
            split_items(items, &mut parts);
        }
        fields
    };
    lines("ok", control, parts)
}

fn lines(kind: &str, control: Map<String, Value>, parts: Vec<Value>) -> String {
    let mut text = format!("{kind} {}\n", Value::Object(control));
    for part in parts {
        text += &format!("{part}\n");
    }
    sealed(&text)
}

/// The texts of items become parts; the names of clauses come before their arities.
fn split_items(items: &mut Value, parts: &mut Vec<Value>) {
    for item in items.as_array_mut().expect("items") {
        let Some(item) = item.as_array_mut() else { continue };
        parts.push(item.remove(4));
        if item.len() > 5 {
            parts.push(item.pop().expect("a restore"));
            item.push(json!(1));
        }
    }
}

fn step(mut fields: Map<String, Value>, parts: &mut Vec<Value>) -> Map<String, Value> {
    parts.extend(fields.remove("variables"));
    let answers = fields.remove("answers").unwrap_or_default();
    let answers = answers.as_array().expect("answers");
    fields.insert("answers".into(), json!(answers.len()));
    parts.extend(answers.iter().cloned());
    let output = fields.remove("output").filter(|output| output != "");
    fields.insert("output".into(), json!(output.is_some()));
    parts.extend(output);
    let error = fields.remove("error");
    fields.insert("error".into(), json!(error.is_some()));
    parts.extend(error);
    changes(fields, parts)
}

/// What the block of a node did.
fn block(mut fields: Map<String, Value>, parts: &mut Vec<Value>) -> Map<String, Value> {
    let output = fields.remove("output").filter(|output| output != "");
    fields.insert("output".into(), json!(output.is_some()));
    parts.extend(output);
    fields.insert("answers".into(), json!(usize::from(fields["end"] == true)));
    let ended = fields.remove("ended").unwrap_or_default();
    parts.extend(ended.as_array().expect("a list").iter().cloned());
    changes(fields, parts)
}

fn changes(mut fields: Map<String, Value>, parts: &mut Vec<Value>) -> Map<String, Value> {
    let changes = fields.remove("changes").unwrap_or_default();
    let list = |name: &str| changes[name].as_array().cloned().unwrap_or_default();
    let added = list("added").into_iter().map(|added| {
        parts.push(json!([added[2], added[1]]));
        json!([added[0], added[3]])
    });
    fields.insert("added".into(), added.collect());
    fields.insert("removed".into(), list("removed").into());
    for name in ["reload", "declared"] {
        let arities = list(name).into_iter().map(|indicator| {
            let (name, arity) = indicator
                .as_str()
                .and_then(|text| text.rsplit_once('/'))
                .expect("an indicator");
            parts.push(json!(name));
            json!(arity.parse::<u32>().expect("an arity"))
        });
        fields.insert(name.into(), arities.collect());
    }
    fields
}

fn loaded(mut fields: Map<String, Value>, parts: &mut Vec<Value>) -> Map<String, Value> {
    let mut list = |name: &str| match fields.remove(name) {
        Some(Value::Array(values)) => values,
        other => panic!("not a list: {other:?}"),
    };
    let (errors, tools) = (list("errors"), list("tools"));
    let control = json!({
        "errors": errors.len(),
        "tools": tools.iter().map(|tool| tool["arity"].clone()).collect::<Vec<_>>(),
    });
    parts.extend(errors);
    parts.push(list("mains").into());
    parts.extend(
        tools
            .iter()
            .map(|tool| json!([tool["name"], tool["description"], tool["source"]])),
    );
    parts.push(list("declared").into());
    control.as_object().expect("an object").clone()
}

fn dml_step(mut fields: Map<String, Value>, parts: &mut Vec<Value>) -> Map<String, Value> {
    let told = fields.remove("told").unwrap_or_default();
    let told = told.as_array().expect("events").iter();
    let told: Vec<Value> = told.map(|event| asked(event.clone(), parts)).collect();
    let output = fields.remove("output").filter(|output| output != "");
    parts.extend(output.clone());
    parts.push(fields.remove("clock").unwrap_or(json!([])));
    let mut control = json!({ "told": told, "output": output.is_some(), "used": fields.remove("used") });
    let end = fields.remove("end");
    if let Some(request) = fields.remove("request") {
        control["request"] = asked(request, parts);
    } else if end == Some(json!(true)) {
        control["after"] = fields.remove("after").unwrap_or(json!(0));
        parts.push(fields.remove("value").unwrap_or_default());
    } else if end == Some(json!("error")) {
        let mut error = fields.remove("error").unwrap_or_default();
        control["stopped"] = error["stopped"].take();
        let term = error["term"].take();
        let error = error.as_object_mut().expect("an error");
        error.entry("kind").or_insert(json!("uncaught_exception"));
        parts.push(json!({ "kind": error["kind"], "message": error["message"] }));
        parts.push(term);
    }
    if let Some(end) = end {
        control["end"] = end;
    }
    control.as_object().expect("an object").clone()
}

fn asked(mut event: Value, parts: &mut Vec<Value>) -> Value {
    let fields = event.as_object_mut().expect("an event");
    let control: Vec<Value> = ["kind", "id", "after"]
        .map(|name| fields.remove(name).unwrap_or_default())
        .into();
    let texts = ["output", "log", "answer", "input"];
    parts.push(match texts.contains(&control[0].as_str().expect("a kind")) {
        true => fields["text"].take(),
        false => event,
    });
    control.into()
}
