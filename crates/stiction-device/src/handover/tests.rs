use super::latest;

#[test]
fn the_reader_sees_the_newest_value_once_as_fresh() {
    let (mut writer, mut reader) = latest(0);
    assert_eq!(reader.take(), (0, false));
    for i in 1..=5 {
        writer.publish(&i);
    }
    assert_eq!(reader.take(), (5, true));
    assert_eq!(reader.take(), (5, false));
    writer.publish(&6);
    assert_eq!(reader.take(), (6, true));
}

#[test]
fn values_are_whole_and_in_order_between_threads() {
    let (mut writer, mut reader) = latest([0_u64; 64]);
    let done = std::thread::spawn(move || (1..=200_000).for_each(|i| writer.publish(&[i; 64])));
    let mut last = 0;
    while last < 200_000 {
        let (value, _) = reader.take();
        assert!(value.iter().all(|x| *x == value[0]), "half a value");
        assert!(value[0] >= last, "an older value after a newer one");
        last = value[0];
    }
    done.join().unwrap();
}
